import type { PlatformErrorKind } from '../errors';

/** `write`: never repeated. `long`: takes minutes, such as a redeploy. */
export type RequestKind = 'read' | 'write' | 'long';

/** One request, ready to go. It is always a POST, and a redirect is never followed. */
export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly signal: AbortSignal;
  readonly kind: RequestKind;
  /** Called when the request leaves the queue. */
  readonly onStart: () => void;
  /** Called for each piece of the answer. */
  readonly onProgress: () => void;
  /** An answer that grows beyond this is not read to its end. */
  readonly maximumBytes: number;
}

export type IncomingReply =
  | {
      readonly received: 'answer';
      readonly status: number;
      readonly location: string | undefined;
      readonly body: Uint8Array;
    }
  | { readonly received: 'tooMuch'; readonly status: number };

/** The code of an error that a sender throws if it couldn't open a connection. Its cause is what went wrong. */
export const notConnected = 'NOT_CONNECTED';

/** Carries a request there and its answer back. What goes wrong on the way is thrown as it comes. */
export type Sender = (request: OutgoingRequest) => Promise<IncomingReply>;

/** The most requests to one platform at once, unless the settings say otherwise. */
export const usualMaxConnections = 32;

/** A sender that holds connections open until it is closed. */
export interface SenderPool {
  readonly send: Sender;
  close(): Promise<void>;
}

/** How a pool connects. */
export interface PoolSettings {
  /** The proxy for a target, as a URL, or undefined to connect directly. */
  readonly proxyFor: (target: URL) => string | undefined;
  /** The value of the Proxy-Authorization header. */
  readonly proxyAuthorization?: string | undefined;
  readonly checkCertificates: boolean;
  /** The most requests to one platform at once. */
  readonly mostRequests?: (() => number) | undefined;
}

/** One request, as it may be written down: never a secret, never a text. */
export interface TrafficEntry {
  readonly operation: string;
  readonly target: string;
  readonly outcome: 'success' | 'cancelled' | PlatformErrorKind;
  readonly result?: number | undefined;
  readonly status?: number | undefined;
  /** 1 for the first request of a call. */
  readonly attempt: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly milliseconds: number;
}

/** Told of every request when it is over. */
export type TrafficLog = (entry: TrafficEntry) => void;
