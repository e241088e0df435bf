// What static/script/51-field.js uses.
export {autocompletion} from "@codemirror/autocomplete";
export {history, historyKeymap, isolateHistory, standardKeymap} from "@codemirror/commands";
export {deleteMarkupBackward, insertNewlineContinueMarkupCommand, markdownLanguage} from "@codemirror/lang-markdown";
export {ensureSyntaxTree, syntaxHighlighting} from "@codemirror/language";
export {EditorSelection, StateEffect, StateField} from "@codemirror/state";
export {Decoration, EditorView, keymap} from "@codemirror/view";
export {tagHighlighter, tags} from "@lezer/highlight";
