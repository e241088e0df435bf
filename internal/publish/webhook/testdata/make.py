# Makes the payload files by the table in docs/reference/contract.md, Payload, apart from the Go code that they test. Then sign them:
#   for f in *.payload; do openssl dgst -sha256 -hmac "$(cat secret)" -r "$f" | cut -d' ' -f1 > "${f%.payload}.signature"; done
import json

FULL = dict(
    title='Trail shoes & "grip": Größe 42 👟', slug='trail-shoes', meta_title='Trail shoes | Acme',
    meta_description='How to choose <trail> shoes & keep your grip.',
    markdown='## Grip\n\nLugs of *4 mm* or more.\n\n```html\n<b>a & b</b>\n```\n\tEnd \\ 終わり\n',
    html='<h2>Grip</h2>\n<p>Lugs of <em>4 mm</em> or more.</p>\n<pre><code>&lt;b&gt;a &amp; b&lt;/b&gt;</code></pre>\n<p>End \\ 終わり</p>\n',
    faq=[dict(question='How often to replace them?', answer='After 600-800 km.'),
         dict(question='Wash them?', answer='By hand; "never" in a machine.')])
BARE = dict(title='Bare', slug='bare', markdown='Text.\n', html='<p>Text.</p>\n')
TAGGED = dict(BARE, tags=['Trail & rock', 'Größe 42'])
ILLUSTRATED = dict(BARE, tags=['Trail'], featured_image=dict(url='https://media.acme.example/a.jpg?w=1&h=2', alt='Größe "42"'))
NOTHING = dict(title='', slug='', markdown='', html='')


def payload(a, form):
    p = dict(title=a['title'], slug=a['slug'])
    if a.get('meta_title'):
        p['meta_title'] = a['meta_title']
    if a.get('meta_description'):
        p['meta_description'] = p['excerpt'] = a['meta_description']
    if a.get('faq'):
        p['faq'] = a['faq']
    p['status'] = 'publish'
    p['content_format'] = form
    if form == 'json':
        p['content_markdown'], p['content_html'] = a['markdown'], a['html']
    else:
        p['content'] = a[form]
    for reserved in ('featured_image', 'tags'):
        if a.get(reserved):
            p[reserved] = a[reserved]
    return json.dumps(p, ensure_ascii=False, separators=(',', ':'))


for name, article in (('full', FULL), ('bare', BARE), ('tagged', TAGGED), ('illustrated', ILLUSTRATED), ('nothing', NOTHING)):
    for form in ('json', 'markdown', 'html'):
        with open(f'{name}.{form}.payload', 'w', encoding='utf-8', newline='') as f:
            f.write(payload(article, form))
