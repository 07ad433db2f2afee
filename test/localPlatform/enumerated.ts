import type { Behaviour } from './behaviour';

/** Formats an enum value as the platform does: `1`, `GIT`, or `GIT(1)`. */
export const enumerated = (form: Behaviour['enums'], name: string, number: number): string | number => {
  switch (form) {
    case 'number':
      return number;
    case 'name':
      return name;
    case 'nameAndNumber':
      return `${name}(${number})`;
  }
};
