import { l10n, type TextDocumentContentProvider, Uri } from 'vscode';
import { beforeEditScheme } from '../../manifest';
import { type FilePlace, filePlaceOf, uriParts } from '../../containers/place';
import type { NodeEditLog } from './nodeEditLog';

/** What a file held before it was edited through Gantry, to be compared with. */
export class NodeEditDocuments implements TextDocumentContentProvider {
  constructor(private readonly ledger: Pick<NodeEditLog, 'find'>) {}

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    if (uri.query === '') {
      return '';
    }
    const place = filePlaceOf(uri.with({ scheme: uri.query, query: '' }));
    const edit = place && (await this.ledger.find(place));
    return (
      edit?.before ?? (edit?.what === 'added' ? '' : l10n.t('What this file held before it was edited is not known.'))
    );
  }
}

/** The same path, so that VS Code colours both sides alike; the file's own scheme goes along. */
export function beforeEditUri(place: FilePlace): Uri {
  const { scheme, authority, path } = uriParts(place);
  return Uri.from({ scheme: beforeEditScheme, authority, path, query: scheme });
}

/** Stands for a file that is not there any more. */
export function deletedUri(place: FilePlace): Uri {
  return beforeEditUri(place).with({ query: '' });
}
