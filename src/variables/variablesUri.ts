import { type TextDocument, Uri, workspace } from 'vscode';
import { type FilePlace, filePlaceOf, placeOf, uriParts } from '../containers/place';
import { scheme, variablesScheme } from '../manifest';

/** Starts the name of each document. The language of these documents is associated with it. */
const nameStart = 'Variables of';

export function variablesUri(place: FilePlace): Uri {
  const { nodeGroup, nodeId } = place.target;
  const name = nodeId === undefined ? `${nameStart} layer ${nodeGroup}` : `${nameStart} node ${nodeId}`;
  return Uri.from({ ...uriParts({ ...place, path: `/${name}` }), scheme: variablesScheme });
}

/** Returns the node or layer whose variables a document shows. */
export function variablesPlaceOf(uri: Uri): FilePlace | undefined {
  const place = uri.scheme === variablesScheme ? filePlaceOf(uri.with({ scheme })) : undefined;
  const container = place === undefined ? undefined : { ...place, path: '/' };
  return container !== undefined && variablesUri(container).path === uri.path ? container : undefined;
}

/** Returns the open document with these variables. */
export function documentOf(uri: Uri): TextDocument | undefined {
  return workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

/** Returns a document's text with the line breaks that Gantry writes. */
export function textIn(document: TextDocument): string {
  return document.getText().replaceAll('\r\n', '\n');
}

/** VS Code checks the parent folders before it writes a file. */
export function isFolder(uri: Uri): boolean {
  const place = uri.scheme === variablesScheme ? placeOf(uri.with({ scheme })) : undefined;
  return place !== undefined && (place.kind !== 'file' || place.path === '/');
}
