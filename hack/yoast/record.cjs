// Scores documents with the npm package yoastseo, which runs as a program of its own: node record.cjs PACKAGE < documents > scores.
// A document is a line of JSON. A line is written for it: its name, the overall score, and the score of each assessment in the order of
// recordedChecks in hack/yoast/agreement, - where there is none, with tabs between them. With JSON=1 it is JSON with the texts.
const path = require( "path" );
const fs = require( "fs" );
const readline = require( "readline" );

const build = path.join( path.resolve( process.argv[ 2 ] ), "build" );
const load = name => {
	const module = require( path.join( build, name ) );
	return module.default || module;
};

// The package keeps what it finds out about a keyword, whatever the language. So each language has a package of its own, which is loaded again
// when the language changes.
let loaded = {};
function packageFor( language ) {
	if ( loaded.language === language ) {
		return loaded;
	}
	Object.keys( require.cache ).forEach( file => delete require.cache[ file ] );
	const folder = { no: "nb" }[ language ] || language;
	const file = path.join( build, "languageProcessing/languages", folder, "Researcher.js" );
	loaded = {
		language,
		Paper: load( "values/Paper" ),
		Assessors: [ load( "scoring/assessors/seoAssessor" ), load( "scoring/assessors/contentAssessor" ) ],
		Researcher: load( `languageProcessing/languages/${ fs.existsSync( file ) ? folder : "_default" }/Researcher` ),
	};
	return loaded;
}

function score( d ) {
	const { Paper, Assessors, Researcher } = packageFor( d.locale.split( "_" )[ 0 ] );
	const paper = new Paper( d.html, {
		keyword: d.keyword, description: d.description, title: d.title, titleWidth: d.titleWidth, slug: d.slug,
		permalink: d.permalink, locale: d.locale,
	} );
	const out = { name: d.name, checks: {} };
	for ( const [ i, Assessor ] of Assessors.entries() ) {
		const assessor = new Assessor( new Researcher( paper ) );
		assessor.assess( paper );
		for ( const result of assessor.getValidResults() ) {
			out.checks[ result.getIdentifier() ] = result.getScore();
			if ( process.env.JSON ) {
				out.texts = { ...out.texts, [ result.getIdentifier() ]: result.getText().replace( /<[^>]*>/g, "" ) };
			}
		}
		if ( i === 0 ) {
			out.total = assessor.calculateOverallScore();
		}
	}
	return out;
}

const order = [
	"introductionKeyword", "keyphraseLength", "functionWordsInKeyphrase", "keyphraseDensity", "metaDescriptionKeyword", "subheadingsKeyword",
	"imageKeyphrase", "keyphraseInSEOTitle", "slugKeyword", "textCompetingLinks", "metaDescriptionLength", "titleWidth", "textLength",
	"externalLinks", "internalLinks", "images", "singleH1", "textSentenceLength", "textParagraphTooLong", "subheadingsTooLong",
	"sentenceBeginnings",
];

readline.createInterface( { input: process.stdin } ).on( "line", line => {
	const s = score( JSON.parse( line ) );
	const fields = [ s.name, s.total, ...order.map( id => id in s.checks ? s.checks[ id ] : "-" ) ];
	process.stdout.write( ( process.env.JSON ? JSON.stringify( s ) : fields.join( "\t" ) ) + "\n" );
} );
