//go:build e2e

package browser_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// groupLength is the length of the shortest field, in bytes, that is filled with several vectors at once: the snippet of an answer.
const groupLength = 200

// vectorsFor returns the vectors with their numbers, from 1, and with the address of a server that nobody may call.
func vectorsFor(beacon string) []string {
	numbered := make([]string, len(vectors))
	for i, v := range vectors {
		n := strconv.Itoa(i + 1)
		numbered[i] = strings.NewReplacer("BEACON", beacon+"/vector-"+n, "ran()", "ran("+n+")").Replace(v)
	}
	return numbered
}

// grouped joins vectors to texts of at most groupLength: a page that shows one of these as text shows each of its vectors as text.
func grouped(all []string) (groups []string) {
	for _, v := range all {
		if last := len(groups) - 1; last >= 0 && len(groups[last])+1+len(v) <= groupLength {
			groups[last] += " " + v
		} else {
			groups = append(groups, v)
		}
	}
	return groups
}

// number is that of a vector, in what has happened or in a piece of HTML.
var number = regexp.MustCompile(`(?:ran\( ?|vector-)(\d+)`)

// withVectors adds to each problem of a page the vectors that it is about.
func withVectors(problems []string) []string {
	named := make([]string, len(problems))
	for i, p := range problems {
		named[i] = p
		for _, found := range number.FindAllStringSubmatch(p, -1) {
			if n, err := strconv.Atoi(found[1]); err == nil && 0 < n && n <= len(vectors) {
				named[i] += fmt.Sprintf(" (vector %d: %s)", n, vectors[n-1])
			}
		}
	}
	return named
}

// vectors are texts that run a script, open a dialog or send a request where a page takes them for more than text. BEACON is the address of
// a server that nobody may call, and ran() reports a script.
var vectors = strings.Split(strings.TrimSpace(`
<script>ran()</script>
<script src="BEACON.js"></script>
<SCRIPT SRC=BEACON.js></SCRIPT>
"><script>ran()</script>
'><script>ran()</script>
</title><script>ran()</script>
</textarea><script>ran()</script>
</style><script>ran()</script>
</pre><script>ran()</script>
</template><script>ran()</script>
--><script>ran()</script>
]]><script>ran()</script>
<scr<script>ipt>ran()</scr</script>ipt>
<script>ran()//
<img src=x onerror=ran()>
<img src="BEACON.png">
<img src=x onerror="fetch('BEACON')">
<img/src=x/onerror=ran()>
<img src=x:x onerror&#61;ran()>
"><img src=x onerror=ran()>
' onfocus=ran() autofocus tabindex=0 x='
" onfocus=ran() autofocus tabindex=0 x="
" onmouseover="ran()
x" onclick=ran() style=position:fixed;inset:0 x="
<svg onload=ran()>
<svg/onload=ran()>
<svg><script>ran()</script></svg>
<svg><animate onbegin=ran() attributeName=x dur=1s>
<svg><set attributeName=href to=javascript:ran() /><a><text y=20>x</text></a></svg>
<svg><use href="BEACON.svg#x"/></svg>
<math><mi xlink:href="javascript:ran()">x</mi></math>
<math><mtext><table><mglyph><style><img src=x onerror=ran()>
<body onload=ran()>
<body onpageshow=ran()>
<iframe src="javascript:ran()"></iframe>
<iframe srcdoc="<script>parent.ran()</script>"></iframe>
<iframe src="BEACON"></iframe>
<object data="BEACON"></object>
<embed src="BEACON">
<link rel=stylesheet href="BEACON.css">
<link rel=prefetch href="BEACON">
<style>@import url(BEACON.css);</style>
<style>body{background:url(BEACON)}</style>
<div style="background:url(BEACON)">x</div>
<meta http-equiv=refresh content="0;url=BEACON">
<base href="BEACON">
<form action="BEACON"><input type=submit autofocus></form>
<input onfocus=ran() autofocus>
<details open ontoggle=ran()>
<video><source onerror=ran()></video>
<video poster="BEACON" src="BEACON" autoplay></video>
<audio src=x onerror=ran()></audio>
<marquee onstart=ran()>x</marquee>
<select autofocus onfocus=ran()><option>x</select>
<a href="javascript:ran()" autofocus>x</a>
[x](javascript:ran())
[x](data:text/html;base64,PHNjcmlwdD5yYW4oKTwvc2NyaXB0Pg==)
![x](BEACON.png)
<javascript:ran()>
{{ran()}}${ran()}<%= ran() %>
`), "\n")
