import * as v from 'valibot';
import { answer, flagField, intField, list, record, textField } from './fields';

/** What one node of a layer did. */
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

/** Done, and nothing more to say. */
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
 * The text of a file. An empty field may be left out, so none means an empty text; whoever lets a person save over
 * the file compares its length with the listing first. Only a real string is a text: a number or a flag in its
 * place would have lost how it was written.
 */
export const fileText = answer(record({ body: v.optional(v.string('is no text'), '') }));
