import type { PlatformErrorKind } from './errors';

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
