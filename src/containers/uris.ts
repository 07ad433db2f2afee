import { Uri } from 'vscode';
import { type Place, uriParts } from './place';

export function uriOf(place: Place): Uri {
  return Uri.from(uriParts(place));
}
