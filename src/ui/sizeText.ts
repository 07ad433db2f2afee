const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Formats a number of bytes, in English for the log. */
export function sizeText(bytes: number, language = 'en'): string {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 1024 ** step;
  const digits = amount >= 10 || step === 0 ? 0 : 1;
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
  // Numbers are the same in English, and a formatter takes longer to make than a request takes to log.
  const number = language === 'en' ? amount.toFixed(digits) : amount.toLocaleString(language, fraction);
  return `${number} ${units[step] ?? ''}`;
}
