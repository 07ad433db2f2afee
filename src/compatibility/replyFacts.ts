import { missingFrom, neededMethods } from '../accounts/tokenRights';
import { fieldOf, isJsonObject, type JsonObject, readFlag, readInteger, readText } from '../platform/wire/scalars';
import { readTimestamp } from '../platform/wire/timestamp';
import type { Facts } from './facts';

// Each function reads facts from one kind of response.

export function listingFacts(body: JsonObject | undefined, folder: string): Facts {
  const keywords = body === undefined ? undefined : fieldOf(body, 'keywords');
  if (keywords === undefined) {
    return {};
  }
  const rows = rowsIn(keywords);
  const first = rows.find((row) => readText(fieldOf(row, 'absolutePath')) !== folder);
  const self = rows.some((row) => readText(fieldOf(row, 'absolutePath')) === folder);
  return {
    listingKeys: keysFact(keywords, folder),
    listingSelf: self ? 'present' : 'absent',
    ...(first === undefined ? {} : { ...fileTimeFact(first), ...permissionFact(first) }),
  };
}

function rowsIn(keywords: unknown): readonly JsonObject[] {
  const groups = isJsonObject(keywords) ? Object.values(keywords) : [keywords];
  return groups.flat().filter(isJsonObject);
}

function keysFact(keywords: unknown, folder: string): Facts['listingKeys'] {
  if (!isJsonObject(keywords)) {
    return 'list';
  }
  const keys = Object.keys(keywords);
  if (keys.length > 1) {
    return 'kind';
  }
  return keys[0] === folder ? 'folder' : 'single';
}

function fileTimeFact(row: JsonObject): Pick<Facts, 'fileTimes'> {
  const stamp = readText(fieldOf(row, 'lastModified'));
  if (stamp === undefined) {
    return {};
  }
  if (readTimestamp(stamp) === undefined) {
    return { fileTimes: 'other' };
  }
  if (/^\d+$/.test(stamp)) {
    return { fileTimes: 'milliseconds' };
  }
  return { fileTimes: /\d:\d\d:\d\d/.test(stamp) ? 'seconds' : 'minutes' };
}

function permissionFact(row: JsonObject): Pick<Facts, 'permissionForm'> {
  const permission = readText(fieldOf(row, 'permission'));
  if (permission === undefined) {
    return {};
  }
  if (/^[-dlbcps]?[-rwxstST]{9}$/.test(permission)) {
    return { permissionForm: 'letters' };
  }
  return { permissionForm: /^[0-7]{3,4}$/.test(permission) ? 'octal' : 'other' };
}

interface ListedFile {
  readonly path: string;
  readonly length: number;
}

export function filesIn(body: JsonObject | undefined): readonly ListedFile[] {
  return rowsIn(body === undefined ? undefined : fieldOf(body, 'keywords')).flatMap((row) => {
    const path = readText(fieldOf(row, 'absolutePath'));
    const length = readInteger(fieldOf(row, 'length'));
    const isFile = readFlag(fieldOf(row, 'isDir')) === false;
    return path === undefined || length === undefined || !isFile ? [] : [{ path, length }];
  });
}

export function lengthFact(text: string, length: number): Facts['lengths'] {
  if (length === Buffer.byteLength(text)) {
    return 'bytes';
  }
  return length === text.length ? 'characters' : 'other';
}

/** GetTokens. */
export function tokenListFacts(body: JsonObject): Facts {
  const [tokens, other] = [fieldOf(body, 'tokens'), fieldOf(body, 'apiTokens')];
  const [row] = [...asRows(tokens), ...asRows(other)];
  const shape = Array.isArray(tokens) ? 'tokens' : Array.isArray(other) ? 'apiTokens' : 'other';
  const created = row === undefined ? undefined : fieldOf(row, 'createdOn');
  return { tokenLists: shape, ...accountTimeFact(created) };
}

/** GetSessions. */
export function sessionFacts(body: JsonObject): Facts {
  const [row] = asRows(fieldOf(body, 'sessions'));
  return row === undefined ? {} : accountTimeFact(fieldOf(row, 'createdOn'));
}

function accountTimeFact(time: unknown): Pick<Facts, 'accountTimes'> {
  if (time === undefined) {
    return {};
  }
  if (readTimestamp(time) === undefined) {
    return { accountTimes: 'other' };
  }
  return { accountTimes: /^\d+$/.test(readText(time) ?? '') ? 'milliseconds' : 'text' };
}

/** GetTokenApiList, without private methods. */
export function methodListFacts(body: JsonObject): Facts {
  const [list, rows] = [fieldOf(body, 'apiList'), fieldOf(body, 'tokenPermissions')];
  const names = Array.isArray(list)
    ? list.flatMap((name: unknown) => readText(name) ?? [])
    : asRows(rows).flatMap((row) => readText(fieldOf(row, 'method')) ?? []);
  const lacksExtras = missingFrom(names, neededMethods.undocumentedMethods).length > 0;
  return {
    methodLists: Array.isArray(list) ? 'apiList' : Array.isArray(rows) ? 'tokenPermissions' : 'other',
    ...(names.length === 0 ? {} : { privateMethods: lacksExtras ? 'extras' : 'few' }),
  };
}

export function enumFact(value: unknown): Pick<Facts, 'enums'> {
  const said = readText(value);
  if (said === undefined) {
    return {};
  }
  if (/^\d+$/.test(said)) {
    return { enums: 'number' };
  }
  return { enums: /\(\d+\)$/.test(said) ? 'nameAndNumber' : 'name' };
}

function asRows(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
