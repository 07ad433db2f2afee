import type { PlatformErrorKind } from '../errors';

/** `write`: retried only if it was refused unread. `long`: takes minutes, such as a redeploy. */
export type RequestKind = 'read' | 'write' | 'long';

/** A request to send. It's always a POST, and redirects aren't followed. */
export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly signal: AbortSignal;
  readonly kind: RequestKind;
  /** Called when the request leaves the queue. */
  readonly onStart: () => void;
  /** Called when a part of a long body was taken to be sent, if the sender can tell. */
  readonly onSent?: ((isWhole: boolean) => void) | undefined;
  /** Called for each part of the response with its length, after decompression. */
  readonly onProgress: (bytes: number) => void;
  /** A longer response isn't read to the end. */
  readonly maximumBytes: number;
}

export type IncomingReply =
  | {
      readonly received: 'answer';
      readonly status: number;
      readonly location: string | undefined;
      readonly date?: string | undefined;
      readonly body: Uint8Array;
    }
  | { readonly received: 'tooMuch'; readonly status: number };

/** The error code if a sender couldn't open a connection. The error's cause has the reason. */
export const notConnected = 'NOT_CONNECTED';

/** Sends a request and returns its response. Errors are thrown unchanged. */
export type Sender = (request: OutgoingRequest) => Promise<IncomingReply>;

/** The most requests to one platform at once, unless the settings say otherwise. */
export const usualMaxConnections = 32;

/** A sender that keeps connections open until it's closed. */
export interface SenderPool {
  readonly send: Sender;
  close(): Promise<void>;
}

export interface PoolSettings {
  /** Returns the URL of the proxy for a target, or undefined to connect directly. */
  readonly proxyFor: (target: URL) => string | undefined;
  readonly proxyAuthorization?: string | undefined;
  readonly checkCertificates: boolean;
  /** The maximum number of concurrent requests to one platform. */
  readonly maxRequests?: (() => number) | undefined;
}

/** A request as it may be logged: without secrets or texts. */
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

/** Called at the end of every request. */
export type TrafficLog = (entry: TrafficEntry) => void;
