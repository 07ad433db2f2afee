import type { Account } from './accounts/account';
import type { DiskConditions } from './faults/diskConditions';
import type { Environment, Node } from './environments/environment';
import type { Parameters } from './parameters';
import type { Platform } from './platform';

/** The fields of a JSON response besides `result`. Null and undefined fields are left out. */
export type Answer = Readonly<Record<string, unknown>>;

/** A request to an operation after the check of session, token, and parameters. */
export interface Call {
  readonly operation: string;
  readonly parameters: Parameters;
  readonly account: Account;
  /** The row of the session. A token has one too. */
  readonly sessionId: number;
  readonly client: { readonly host: string; readonly userAgent: string };
  readonly platform: Platform;
  /** The problems on the disks during this call. */
  readonly disk: DiskConditions;
  /** Aborts when the platform is disposed. A disconnected client doesn't end an operation, as on the real platform. */
  readonly signal: AbortSignal;
  /** Returns the environment in `envName`. Fails with 11, or with 702 if it belongs to someone else. */
  environment(): Environment;
  /** Returns the nodes that match nodeid/nodeId, nodeGroup, nodeType, and masterOnly. The default is the layer `cp`. */
  nodes(): readonly Node[];
}

export type Handler = (call: Call) => Promise<Answer>;

/** Handlers by the contract's name of the operation, such as `Read` or `CreateProject`. */
export type OperationTable = Readonly<Record<string, Handler>>;

/** A group of operations. Opens its state and returns its handlers. */
export type Area = (platform: Platform) => Promise<OperationTable>;
