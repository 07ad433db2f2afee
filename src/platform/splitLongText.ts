import type { PlatformAddress } from './address';
import { operations, type ParametersOf } from './contract';
import { areas, encodedLength, encodeQuery, longestUrl, type Transport } from './sending/request';

/** The longest of the two operation names and of what `Write` says beyond `Append`. */
const reserve = 'append'.length + '&isAppendMode=false'.length;

/**
 * Splits a text so that each piece fits into one request: the first goes with Write, the rest, in this order, with
 * Append. Between them the file is incomplete, so whoever gets more than one piece warns the person first. In form
 * mode there is always one. None at all: the parameters alone are too long, and no piece would fit.
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

/** Cuts between whole characters, where the encoded length reaches the room. Only measures: millions of characters are encoded when they are sent. */
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
