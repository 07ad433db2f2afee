/** The events of a test run, sent as JSON lines. */
export type TestEvent =
  | { readonly kind: 'begin'; readonly tests: number }
  | { readonly kind: 'started'; readonly title: string }
  | { readonly kind: 'passed'; readonly title: string; readonly milliseconds: number }
  | {
      readonly kind: 'failed';
      readonly title: string;
      readonly problem: string;
      /** The folder with screenshots and logs. */
      readonly kept?: string;
      /** The file and title of the test, or the title of the suite if a hook failed, for running it again. */
      readonly repeat?: { readonly file: string; readonly title: string };
    }
  | { readonly kind: 'skipped'; readonly title: string }
  | { readonly kind: 'end' };
