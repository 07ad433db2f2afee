import * as v from 'valibot';

/** Before: the operation does not happen. After: it happens, and only then things go wrong. */
const when = v.optional(v.picklist(['before', 'after']), 'before');

const faultSchema = v.variant('kind', [
  v.strictObject({ kind: v.literal('delay'), milliseconds: v.number(), when }),
  /** The answer leaves so long after the request came, however much of that the work itself takes. */
  v.strictObject({ kind: v.literal('distance'), milliseconds: v.number() }),
  /** The answer trickles; the request is taken to have come at the same speed. */
  v.strictObject({ kind: v.literal('bandwidth'), bytesPerSecond: v.number() }),
  v.strictObject({ kind: v.literal('reset'), when }),
  /** The connection is cut after so many bytes of the body; Content-Length promised all of it. */
  v.strictObject({ kind: v.literal('truncate'), bytes: v.number() }),
  v.strictObject({ kind: v.literal('gatewayError'), status: v.picklist([502, 504]), when }),
  /** Something else is stored than what `body` said. */
  v.strictObject({ kind: v.literal('wrongText'), text: v.string() }),
  /** `"result":"0"`. */
  v.strictObject({ kind: v.literal('textResult') }),
  /** An outer 0 around `response.result` or a row of `responses[]`. */
  v.strictObject({
    kind: v.literal('nestedFailure'),
    shape: v.picklist(['response', 'responses']),
    result: v.optional(v.number(), 4099),
    error: v.optional(v.string(), 'the operation failed'),
    nodeId: v.optional(v.number()),
    when,
  }),
  /** The session ends just before this request. */
  v.strictObject({ kind: v.literal('expireSession') }),
  v.strictObject({
    kind: v.literal('failNode'),
    nodeId: v.number(),
    result: v.optional(v.number(), 99),
    error: v.optional(v.string(), 'the node does not answer'),
  }),
  v.strictObject({
    kind: v.literal('diskFull'),
    leaves: v.optional(v.picklist(['untouched', 'empty', 'partial']), 'untouched'),
  }),
  /** No answer until the fault is released. */
  v.strictObject({ kind: v.literal('hang'), when }),
  /** The request never arrives and gets no response, as in a network that drops all packets. Releasing it closes the connection. */
  v.strictObject({ kind: v.literal('swallow'), when: v.optional(v.literal('before'), 'before') }),
  v.strictObject({ kind: v.literal('refuse'), result: v.number(), error: v.string(), when }),
  /** A body of the test's own. */
  v.strictObject({
    kind: v.literal('answer'),
    body: v.string(),
    status: v.optional(v.number(), 200),
    contentType: v.optional(v.string(), 'application/json;charset=UTF-8'),
    when,
  }),
]);
export type Fault = v.InferOutput<typeof faultSchema>;

export const faultRuleSchema = v.strictObject({
  /** The contract's name of the operation, `*` for any. */
  operation: v.string(),
  /** Parameters the request must have, with these values. */
  parameters: v.optional(v.record(v.string(), v.string()), {}),
  /** The first request it is for, counting from 1 those that match since it was set. */
  nth: v.optional(v.number(), 1),
  /** For how many requests from then on. */
  times: v.optional(v.union([v.number(), v.literal('always')]), 1),
  fault: faultSchema,
});
export type FaultRule = v.InferInput<typeof faultRuleSchema>;
