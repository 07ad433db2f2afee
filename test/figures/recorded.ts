/** The structural figures that were reached. Less is better. */
export type Recorded = Readonly<Record<string, number>>;

/** Describes each figure that is worse than recorded, or isn't recorded, or is no longer counted. */
export function worsened(recorded: Recorded, now: Recorded): readonly string[] {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(now)])];
  return names.flatMap((name) => {
    const [before, after] = [recorded[name], now[name]];
    if (after === undefined) return [`${name}: it is recorded, but no longer counted.`];
    if (before === undefined) return [`${name}: ${after} isn't recorded.`];
    return after > before ? [`${name}: ${after}, and ${before} was reached before.`] : [];
  });
}

export function improved(recorded: Recorded, now: Recorded): readonly string[] {
  return Object.entries(now).flatMap(([name, value]) =>
    value < (recorded[name] ?? value) ? [`${name} ${value}`] : [],
  );
}
