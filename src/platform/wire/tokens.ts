import * as v from 'valibot';
import { debug } from './accounts';
import {
  answer,
  intField,
  list,
  neededInt,
  neededText,
  optionalField,
  record,
  textField,
  texts,
  time,
  uniqueList,
} from './fields';
import { fieldOf, isJsonObject, type JsonObject, readText } from './scalars';

/** Some releases return the template as an object. */
const templateName = optionalField((value) => readText(isJsonObject(value) ? fieldOf(value, 'name') : value));

const settings = {
  id: neededInt,
  description: textField,
  tokenTemplate: templateName,
  apiList: texts,
  createdOn: time,
  lastUsed: time,
  expiresAt: time,
};

const token = older(record(settings));
export type TokenEntry = v.InferOutput<typeof token>;

/** A token with its value, which the platform returns only once. */
export const secretToken = answer(record({ token: older(record({ ...settings, key: neededText })), debug }));
export const changedToken = answer(record({ token, debug }));
export const tokens = answer(
  v.pipe(v.unknown(), v.transform(withTokens), record({ tokens: uniqueList(token, ({ id }) => id), debug })),
);

export const apiList = answer(older(record({ apiList: texts, debug })));

const template = older(record({ name: neededText, id: intField, apiList: texts }));
export const tokenTemplates = answer(record({ templates: list(template), debug }));
export type TokenTemplateEntry = v.InferOutput<typeof template>;

/** Some releases return `apiListItems: [{ method }]` or `tokenPermissions` instead of `apiList: ["…"]`. */
function older<const S extends v.GenericSchema>(schema: S) {
  return v.pipe(v.unknown(), v.transform(withApiList), schema);
}

function withApiList(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const names = ['apiList', 'apiListItems', 'tokenPermissions'];
  const listed = names.map((name) => fieldOf(value, name)).find((list) => list !== undefined);
  return listed === undefined ? value : { ...value, apiList: Array.isArray(listed) ? listed.map(methodName) : listed };
}

function methodName(item: unknown): unknown {
  return isJsonObject(item) ? fieldOf(item, 'method') : item;
}

/** Some releases return `apiTokens` instead of `tokens`. */
function withTokens(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const body: JsonObject = value;
  return { ...body, tokens: fieldOf(body, 'tokens') ?? fieldOf(body, 'apiTokens') };
}
