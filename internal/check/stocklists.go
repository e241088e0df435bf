package check

// Phrases that language models use far more often than people do, as tokens: folded, without punctuation.
var stockLists = map[string]string{
	"en": `
a game changer
a myriad of
a plethora of
a rich tapestry
a seamless experience
a testament to
a treasure trove
a wide range of benefits
a world of possibilities
adds a touch of
all about finding the perfect
and beyond
at the end of the day
at the heart of
countless options
cutting edge
deep dive
delve deeper
delve into
delves into
delving into
dive in
dive into
diving into
dynamic landscape
elevate your
embark on
embarking on
embrace the
empower you
empowers you
ensure a seamless
ever changing landscape
ever changing world
ever evolving
fast paced world
first and foremost
fosters a sense
from beginners to
from novice to
gain a competitive edge
game changer
game changing
harness the power
holistic approach
if you're looking to
in a world where
in conclusion
in essence
in summary
in the ever
in the realm of
in the world of
in this article we
in this comprehensive guide
in today's digital
in today's fast
in today's world
invaluable insights
it is important to note
it is worth noting
it's crucial to
it's essential to
it's important to note
it's important to remember
it's not just about
it's worth noting
journey of
let's delve
let's dive
let's explore
look no further
look no further than
make informed decisions
more than just a
navigate the complexities
navigating the complexities
navigating the world
needless to say
not just a
one size fits all
peace of mind
play a crucial role
play a pivotal role
play a vital role
plays a crucial role
plays a pivotal role
plays a vital role
remember the key
revolutionize the way
rich tapestry
seamless integration
seamlessly integrate
seamlessly integrates
stand the test of time
stands as a testament
state of the art
stay ahead of the curve
supercharge your
take your
tailored to your
that being said
the digital age
the ever evolving
the key is to
the key takeaway
the perfect blend
the possibilities are endless
the power of
the ultimate guide
the world of
to the next level
transform the way
transformative power
treasure trove
ultimately the
unleash the
unlock the full
unlock the potential
unlock the power
unlock the secrets
unlock your
valuable insights
vibrant tapestry
we will explore
we'll explore
when it comes to
whether you are a
whether you're a
whether you're an
you're not alone
your one stop
`,
	"de": `
abschließend lässt sich sagen
auf das nächste level
auf dem laufenden
das a und o
das herzstück
der schlüssel zum erfolg
die welt der
die welt des
ein muss für
ein unverzichtbarer bestandteil
eine entscheidende rolle
eine reise in die
eine vielzahl von
eine wichtige rolle spielen
eine zentrale rolle
eintauchen in die
entdecken sie die
entfesseln sie
es ist wichtig zu beachten
es ist wichtig zu betonen
ganz gleich ob
ganzheitlicher ansatz
heben sie ihr
im folgenden werden wir
im heutigen digitalen zeitalter
in der heutigen digitalen
in der heutigen schnelllebigen
in der heutigen welt
in der heutigen zeit
in der welt der
in diesem artikel erfahren sie
in diesem umfassenden leitfaden
in einer welt in der
innovative lösungen
lassen sie uns
maßgeschneiderte lösungen
nahtlose integration
nicht nur sondern auch
nicht zuletzt
nicht zu unterschätzen
ob anfänger oder
ob sie nun
rundum sorglos
schöpfen sie das volle potenzial
spielt eine entscheidende rolle
spielt eine wichtige rolle
spielt eine zentrale rolle
tauchen sie ein
tauchen wir ein
unerlässlich
von entscheidender bedeutung
von größter bedeutung
wegweisend
wenn es um
zusammenfassend lässt sich sagen
`,
	"fr": `
a l'ère du numérique
au cœur de
cerise sur le gâteau
dans cet article nous
dans ce guide complet
dans le monde d'aujourd'hui
dans un monde en
dans un monde où
découvrez comment
en conclusion
en constante évolution
en fin de compte
en somme
est essentiel de
explorons ensemble
faire toute la différence
il convient de noter
il est crucial de
il est essentiel de
il est important de noter
il ne fait aucun doute
jouent un rôle crucial
joue un rôle clé
joue un rôle crucial
joue un rôle essentiel
le monde de
libérez le potentiel
ne cherchez plus
n'attendez plus
n'est pas seulement
n'hésitez pas à
plongeons dans
plongez dans
que vous soyez débutant
que vous soyez un
repousser les limites
sans plus attendre
tout ce que vous devez savoir
un incontournable
un large éventail de
un véritable atout
une multitude de
une véritable révolution
véritable trésor
à la pointe de
`,
	"es": `
a la vanguardia
al final del día
cabe destacar que
cambiar las reglas del juego
cobra especial relevancia
constante evolución
descubre cómo
desde principiantes hasta
embarcarse en
desempeña un papel crucial
desempeña un papel fundamental
en conclusión
en constante evolución
en definitiva
en el corazón de
en el mundo actual
en el mundo de
en el vertiginoso mundo
en este artículo exploraremos
en la era digital
en resumen
en un mundo donde
es crucial
es fundamental
es importante destacar
es importante tener en cuenta
explorar el fascinante
juega un papel crucial
juega un papel fundamental
la clave del éxito
llevar al siguiente nivel
más allá de
no busques más
no es solo
no solo sino también
no te preocupes
sin duda
sumérgete en
toma decisiones informadas
un abanico de
un antes y un después
una amplia gama de
una experiencia inolvidable
vale la pena destacar
ya seas principiante
ya seas un
`,
}

// closingLists are beginnings of a last paragraph that says again what the text has said.
var closingLists = map[string]string{
	"en": `
all in all
in conclusion
in essence
in summary
overall
to conclude
to sum up
to summarize
to wrap up
ultimately
`,
	"de": `
abschließend
alles in allem
im fazit
insgesamt lässt sich
letztendlich
zusammenfassend
`,
	"fr": `
en conclusion
en définitive
en fin de compte
en résumé
en somme
pour conclure
pour résumer
`,
	"es": `
en conclusión
en definitiva
en resumen
en resumidas cuentas
en síntesis
para concluir
`,
}

// placeholderList are words of a model about itself, and of a template that nobody filled in, in any language.
const placeholderList = `
as a language model
as a large language model
as an ai assistant
as an ai i
as an ai language model
als großes sprachmodell
als grosses sprachmodell
als ki assistent
als ki modell
als ki sprachmodell
come modello linguistico
como modelo de lenguaje
como modelo de linguagem
como una ia
dolor sit amet
en tant qu'ia
en tant que ia
en tant que modèle de langage
here is the article
here's the article
i cannot browse the internet
i'm sorry but i can't
i'm sorry but i cannot
insert image here
insert link here
insert name here
jako model językowy
lorem ipsum
my knowledge cutoff
my last knowledge update
my training data
your company name
your keyword here
your name here
`
