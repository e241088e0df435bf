//go:build e2e

package browser_test

import "strings"

// vectors are texts that run a script, open a dialog or send a request where a page takes them for more than text. BEACON is the address of
// a server that nobody may call, and ran() reports a script.
var vectors = strings.Split(strings.TrimSpace(`
<script>ran()</script>
<script src="BEACON/1.js"></script>
<SCRIPT SRC=BEACON/2.js></SCRIPT>
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
<img src="BEACON/3.png">
<img src=x onerror="fetch('BEACON/4')">
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
<svg><use href="BEACON/5.svg#x"/></svg>
<math><mi xlink:href="javascript:ran()">x</mi></math>
<math><mtext><table><mglyph><style><img src=x onerror=ran()>
<body onload=ran()>
<body onpageshow=ran()>
<iframe src="javascript:ran()"></iframe>
<iframe srcdoc="<script>parent.ran()</script>"></iframe>
<iframe src="BEACON/6"></iframe>
<object data="BEACON/7"></object>
<embed src="BEACON/8">
<link rel=stylesheet href="BEACON/9.css">
<link rel=prefetch href="BEACON/10">
<style>@import url(BEACON/11.css);</style>
<style>body{background:url(BEACON/12)}</style>
<div style="background:url(BEACON/13)">x</div>
<meta http-equiv=refresh content="0;url=BEACON/14">
<base href="BEACON/">
<form action="BEACON/15"><input type=submit autofocus></form>
<input onfocus=ran() autofocus>
<details open ontoggle=ran()>
<video><source onerror=ran()></video>
<video poster="BEACON/16" src="BEACON/17" autoplay></video>
<audio src=x onerror=ran()></audio>
<marquee onstart=ran()>x</marquee>
<select autofocus onfocus=ran()><option>x</select>
<a href="javascript:ran()" autofocus>x</a>
[x](javascript:ran())
[x](data:text/html;base64,PHNjcmlwdD5yYW4oKTwvc2NyaXB0Pg==)
![x](BEACON/18.png)
<javascript:ran()>
{{ran()}}${ran()}<%= ran() %>
`), "\n")
