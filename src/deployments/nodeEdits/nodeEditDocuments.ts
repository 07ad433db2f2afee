import { l10n, type TextDocumentContentProvider, Uri } from 'vscode';
import { beforeEditScheme } from '../../manifest';
import { type FilePlace, filePlaceOf, uriParts } from '../../containers/place';
import type { DeployedVersions } from './deployedVersions';
import type { NodeEdit } from './nodeEdit';
import type { NodeEditLog } from './nodeEditLog';

/** Provides a file's content from before it was edited through Gantry, or as it was deployed, for comparing. */
export class NodeEditDocuments implements TextDocumentContentProvider {
  constructor(
    private readonly nodeEditLog: Pick<NodeEditLog, 'find'>,
    private readonly versions: Pick<DeployedVersions, 'of'>,
  ) {}

  async provideTextDocumentContent(uri: Uri): Promise<string | undefined> {
    if (uri.query === '') {
      return '';
    }
    const place = filePlaceOf(uri.with({ scheme: uri.query, query: '', fragment: '' }));
    if (uri.fragment !== '') {
      const side = place && (await this.versions.of(place, { mayFetch: false }))?.side;
      // Without content, the editor's gutter shows nothing.
      return typeof side === 'object' ? undefined : (side ?? '');
    }
    const edit = place && (await this.nodeEditLog.find(place));
    return (
      edit?.before ?? (edit?.what === 'added' ? '' : l10n.t('The content of this file before the edit is unknown.'))
    );
  }
}

/** Keeps the path, so that VS Code highlights both sides alike, and encodes the file's own scheme. */
export function beforeEditUri(place: FilePlace): Uri {
  const { scheme, authority, path } = uriParts(place);
  return Uri.from({ scheme: beforeEditScheme, authority, path, query: scheme });
}

/** The deployed version of an edited file. After a redeploy, the next edit has another one. */
export function deployedUri(place: FilePlace, { at }: Pick<NodeEdit, 'at'>): Uri {
  return beforeEditUri(place).with({ fragment: `${at}` });
}

/** An empty document for a file that no longer exists. */
export function deletedUri(place: FilePlace): Uri {
  return beforeEditUri(place).with({ query: '' });
}
