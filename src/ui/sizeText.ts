const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

export function sizeText(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 1024 ** step;
  return `${amount >= 10 || step === 0 ? Math.round(amount) : amount.toFixed(1)} ${units[step] ?? ''}`;
}
