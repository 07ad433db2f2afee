import type { Account } from './accounts/account';
import type { DiskConditions } from './faults/diskConditions';
import type { Environment, Node } from './environments/environment';
import type { Parameters } from './parameters';
import type { Platform } from './platform';

/** The fields of a JSON answer besides `result`. Fields that are null or undefined are left out on the wire. */
export type Answer = Readonly<Record<string, unknown>>;

/** One request to one operation, after the session, the token's permissions and the parameters were checked. */
export interface Call {
  readonly operation: string;
  readonly parameters: Parameters;
  readonly account: Account;
  /** What stood in `session`: the row of the session, which a token has as well. */
  readonly sessionId: number;
  readonly client: { readonly host: string; readonly userAgent: string };
  readonly platform: Platform;
  /** What the test wants to go wrong on the disks during this call. */
  readonly disk: DiskConditions;
  /** Ends when the platform is disposed. A client that goes away does not end an operation, as on the real platform. */
  readonly signal: AbortSignal;
  /** The environment named by `envName`. Refuses with 11, or 702 when it belongs to someone else. */
  environment(): Environment;
  /** The nodes that nodeid/nodeId, nodeGroup, nodeType and masterOnly mean together; the layer `cp` when none is sent. */
  nodes(): readonly Node[];
}

export type Handler = (call: Call) => Promise<Answer>;

/** Handlers by the contract's name of the operation, `Read` or `CreateProject`. */
export type OperationTable = Readonly<Record<string, Handler>>;

/** A group of operations: opens the state it needs and returns its handlers. */
export type Area = (platform: Platform) => Promise<OperationTable>;
