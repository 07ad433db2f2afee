import * as v from 'valibot';

/** Before: the operation doesn't happen. After: the operation happens, and then the fault. */
const when = v.optional(v.picklist(['before', 'after']), 'before');

const faultSchema = v.variant('kind', [
  v.strictObject({ kind: v.literal('delay'), milliseconds: v.number(), when }),
  /** The response is sent this long after the request, including the time for the work. */
  v.strictObject({ kind: v.literal('distance'), milliseconds: v.number() }),
  /** The response is sent slowly, and the request counts as received at the same speed. */
  v.strictObject({ kind: v.literal('bandwidth'), bytesPerSecond: v.number() }),
  /** The response is sent one byte at a time, with a pause before the next. */
  v.strictObject({ kind: v.literal('drip'), milliseconds: v.number() }),
  v.strictObject({ kind: v.literal('reset'), when }),
  /** The connection is cut after this many bytes of the body, although Content-Length announced all of it. */
  v.strictObject({ kind: v.literal('truncate'), bytes: v.number() }),
  /** During: the gateway gives up at once, and the operation goes on behind it until the fault is released. */
  v.strictObject({
    kind: v.literal('gatewayError'),
    status: v.picklist([502, 504]),
    when: v.optional(v.picklist(['before', 'during', 'after']), 'before'),
  }),
  /** Stores another text than the one in `body`. */
  v.strictObject({ kind: v.literal('wrongText'), text: v.string() }),
  /** Returns `"result":"0"`. */
  v.strictObject({ kind: v.literal('textResult') }),
  /** Returns an outer 0 with a failure in `response.result` or a row of `responses[]`. */
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
  /** Sends no response until the fault is released. */
  v.strictObject({ kind: v.literal('hang'), when }),
  /** The request never arrives and gets no response, as in a network that drops all packets. Releasing it closes the connection. */
  v.strictObject({ kind: v.literal('swallow'), when: v.optional(v.literal('before'), 'before') }),
  v.strictObject({ kind: v.literal('refuse'), result: v.number(), error: v.string(), when }),
  /** Returns a body from the test. */
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
  /** The contract's name of the operation, or `*` for any. */
  operation: v.string(),
  /** Parameters the request must have, with these values. */
  parameters: v.optional(v.record(v.string(), v.string()), {}),
  /** The first matching request that it affects, counting from 1. */
  nth: v.optional(v.number(), 1),
  /** The number of requests that it affects. */
  times: v.optional(v.union([v.number(), v.literal('always')]), 1),
  fault: faultSchema,
});
export type FaultRule = v.InferInput<typeof faultRuleSchema>;
