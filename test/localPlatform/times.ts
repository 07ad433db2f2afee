import { codes, Refusal } from './refusal';

/** Formats a time like `2021-08-19 14:51:37` in UTC, as the platform writes times without a time zone. */
export const timeText = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().slice(0, 'yyyy-MM-dd hh:mm:ss'.length).replace('T', ' ');

/** Parses a request's time in the format `yyyy-MM-dd hh:mm:ss`. Fails with 3 for anything else. */
export const parseTime = (name: string, text: string): number => {
  const milliseconds = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/u.test(text)
    ? Date.parse(`${text.replace(' ', 'T')}Z`)
    : NaN;
  if (Number.isNaN(milliseconds) || timeText(milliseconds) !== text) {
    throw new Refusal(codes.invalidParameter, `invalid parameter [${name}]`);
  }
  return milliseconds;
};
