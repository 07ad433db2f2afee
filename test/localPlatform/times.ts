import { codes, Refusal } from './refusal';

/** `2021-08-19 14:51:37`, UTC, as the platform writes times without saying the zone. */
export const timeText = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().slice(0, 'yyyy-MM-dd hh:mm:ss'.length).replace('T', ' ');

/** Reads a request's time of the pattern `yyyy-MM-dd hh:mm:ss`; anything else, or no such day, is refused with 3. */
export const parseTime = (name: string, text: string): number => {
  const milliseconds = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/u.test(text)
    ? Date.parse(`${text.replace(' ', 'T')}Z`)
    : NaN;
  if (Number.isNaN(milliseconds) || timeText(milliseconds) !== text) {
    throw new Refusal(codes.invalidParameter, `invalid parameter [${name}]`);
  }
  return milliseconds;
};
