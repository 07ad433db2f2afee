/** Why a test failed: `error` is any exception that is neither an assertion nor a timeout. */
export type Cause = 'assertion' | 'timeout' | 'crash' | 'error';

/** The events of a test run, sent as JSON lines. `file` is the test's file, or empty if it isn't known. */
export type TestEvent =
  | {
      readonly kind: 'begin';
      readonly tests: number;
      /** The files whose tests are to run. */
      readonly files: readonly string[];
      /** The files that define no test at all. */
      readonly empty: readonly string[];
    }
  | {
      readonly kind: 'started';
      readonly file: string;
      readonly title: string;
      /** The limit of the test or hook, in milliseconds. */
      readonly longest: number;
    }
  | { readonly kind: 'passed'; readonly file: string; readonly title: string; readonly milliseconds: number }
  | {
      readonly kind: 'failed';
      readonly file: string;
      readonly title: string;
      readonly problem: string;
      readonly cause: Cause;
      /** The folder with screenshots and logs. */
      readonly kept?: string;
      /** The title for running it again: the test's, that of its suite if a hook failed, or none for a hook of the whole run. */
      readonly repeat: string;
    }
  | { readonly kind: 'skipped'; readonly file: string; readonly title: string; readonly notOnThisSystem: boolean }
  | {
      readonly kind: 'end';
      /** The highest figure of `limits.ts` in that process. */
      readonly slowness: number;
    };
