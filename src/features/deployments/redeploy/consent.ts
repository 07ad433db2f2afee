import { headState, nodesNow } from '../deployedState/deployedState';
import type { Head } from '../deployedState/nodeInspector';

/**
 * How clearly the person has said which project to redeploy. `chosen`: by its own row or task, or by creating it to be
 * deployed. `confirmed`: by a question that named the project, the environment and the consequence. `byTool`: a language
 * model has.
 */
export type RedeployConsent = 'chosen' | 'confirmed' | 'byTool';

/** When a redeploy is asked about, although nothing would be lost by it: the setting `gantry.redeploy.confirm`. */
export const confirmModes = ['always', 'exceptFromProjectRow', 'whenRisky', 'never'] as const;
type ConfirmMode = (typeof confirmModes)[number];

interface Circumstances {
  readonly mode: ConfirmMode;
  readonly consent: RedeployConsent | undefined;
  readonly isProduction: boolean;
  /** What the project's nodes have now. */
  readonly heads: readonly Head[];
  /** The folder is replaced, because no node has a clone. */
  readonly replacesFolder: boolean;
}

/** Whether to ask before a redeploy by which nothing would be lost. */
export function mustConfirm({ mode, consent, isProduction, heads, replacesFolder }: Circumstances): boolean {
  if (consent === 'confirmed') {
    return false;
  }
  if (isProduction || consent === 'byTool') {
    return true;
  }
  return (
    mode === 'always' ||
    (mode === 'exceptFromProjectRow' && consent === undefined) ||
    (mode === 'whenRisky' &&
      // The nodes run different commits, or one couldn't be read.
      (replacesFolder || ['differ', 'unreadable'].includes(nodesNow(heads.map(headState)).kind)))
  );
}
