import {
  CompletionItem,
  CompletionItemKind,
  type CompletionItemProvider,
  type Position,
  Range,
  type TextDocument,
} from 'vscode';
import { isEditableName } from './variableNames';

/** Suggests the names of the variables in open documents that the text doesn't have yet. */
export function nameCompletions(knownNames: () => readonly string[]): CompletionItemProvider {
  return {
    provideCompletionItems(document: TextDocument, position: Position) {
      const { text } = document.lineAt(position.line);
      const start = text.search(/\S|$/);
      const typed = text.slice(start, position.character);
      if (!/^\w*$/.test(typed)) {
        return [];
      }
      const written = new Set([...document.getText().matchAll(/^[ \t]*(\w+)[ \t]*=/gm)].map(([, name]) => name));
      const isNamed = text.includes('=');
      const range = new Range(position.line, start, position.line, position.character);
      return knownNames()
        .filter((name) => isEditableName(name) && !written.has(name))
        .map((name) => {
          const item = new CompletionItem(name, CompletionItemKind.Variable);
          return Object.assign(item, { range, insertText: isNamed ? name : `${name}=` });
        });
    },
  };
}
