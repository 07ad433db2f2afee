/** What a run of tests tells while it goes on, one line of JSON each. */
export type TestEvent =
  | { readonly kind: 'begin'; readonly tests: number }
  | { readonly kind: 'started'; readonly title: string }
  | { readonly kind: 'passed'; readonly title: string; readonly milliseconds: number }
  | { readonly kind: 'failed'; readonly title: string; readonly problem: string; readonly kept?: string }
  | { readonly kind: 'skipped'; readonly title: string }
  | { readonly kind: 'end' };
