import * as v from 'valibot';
import { answer, flagField, intField, list, record, textField } from './fields';

/** The result of one node of a layer. */
const nodeOutcome = record({
  nodeId: intField,
  name: textField,
  out: textField,
  errOut: textField,
  exitStatus: intField,
  result: intField,
  reason: intField,
  source: textField,
  error: textField,
});

/** A success without further content. */
export const acknowledged = answer(record({}));

export const ranOnNodes = answer(record({ responses: list(nodeOutcome) }));

export const created = answer(
  record({
    isDirectory: flagField,
    path: textField,
    permission: textField,
    user: textField,
    responses: list(nodeOutcome),
  }),
);

/**
 * A file's text. An empty field may be omitted, so a missing one means an empty text; callers that save the file
 * compare its length with the listing first. Only a string is accepted, because a number or flag doesn't preserve the
 * original spelling.
 */
export const fileText = answer(record({ body: v.optional(v.string('is no text'), '') }));
