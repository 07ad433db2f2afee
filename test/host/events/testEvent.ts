/** What a run of tests tells while it goes on, one line of JSON each. */
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
      /** The test's file and title, or the title of the suite if one of its hooks failed, to run it again. */
      readonly repeat?: { readonly file: string; readonly title: string };
    }
  | { readonly kind: 'skipped'; readonly title: string }
  | { readonly kind: 'end' };
