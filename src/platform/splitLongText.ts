import type { PlatformAddress } from './address';
import { operations, type ParametersOf } from './contract';
import { areas, encodedLength, encodeQuery, longestUrl, type Transport } from './sending/request';

/** The longer of the two operation names, plus the parameter that only `Write` needs. */
const reserve = 'append'.length + '&isAppendMode=false'.length;

/**
 * Splits a text so that each piece fits into one request: send the first with Write and the rest, in order, with
 * Append. In between the file is incomplete, so callers that get more than one piece must warn the user first. In form
 * mode there's always one. Returns none if the parameters alone are too long for any piece.
 */
export function splitLongText(
  { address, transport }: { readonly address: PlatformAddress; readonly transport: Transport },
  { body = '', ...place }: ParametersOf<'Append'>,
): readonly string[] {
  if (transport === 'form') return [body];
  const pairs = Object.entries({ ...place, body: '' })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)]);
  const empty = `${address.baseUrl}/${areas.file}/${operations.Write.path}?${encodeQuery(pairs)}`;
  const room = longestUrl - empty.length - reserve;
  const longestCharacter = encodedLength(0x10ffff);
  return room < longestCharacter ? [] : cut(body, room);
}

/** Cuts between whole characters when their encoded length reaches the limit. Encoding happens on send. */
function cut(text: string, room: number): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  let length = 0;
  for (let at = 0; at < text.length;) {
    const character = text.codePointAt(at) ?? 0;
    const more = encodedLength(character);
    if (length + more > room) {
      pieces.push(text.slice(start, at));
      start = at;
      length = 0;
    }
    length += more;
    at += character > 0xffff ? 2 : 1;
  }
  return [...pieces, text.slice(start)];
}
