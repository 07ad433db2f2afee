import * as v from 'valibot';
import { flag, int, list, record, text } from './fields';
import { answer } from './answer';

/** What one node of a layer did. */
const nodeOutcome = record({
  nodeId: int,
  name: text,
  out: text,
  errOut: text,
  exitStatus: int,
  result: int,
  reason: int,
  source: text,
  error: text,
});

/** Done, and nothing more to say. */
export const acknowledged = answer(record({}));

export const ranOnNodes = answer(record({ responses: list(nodeOutcome) }));

export const created = answer(
  record({
    isDirectory: flag,
    path: text,
    permission: text,
    user: text,
    responses: list(nodeOutcome),
  }),
);

/**
 * The text of a file. An empty field may be left out, so none means an empty text; whoever lets a person save over
 * the file compares its length with the listing first. Only a real string is a text: a number or a flag in its
 * place would have lost how it was written.
 */
export const readText = answer(record({ body: v.optional(v.string('is no text'), '') }));
