import { Lazy } from '../lazy';
import { type Own, Owner } from '../gantry';
import type { FeatureHandles, Host } from '../services';

/** The services that features are built from. Each level is loaded once, after the one before it. */
export function createLevels(host: Host, features: () => FeatureHandles, own: Own) {
  const ofHost = new Lazy(() => Promise.resolve({ services: { ...host, features: features() } }));
  /** Disposes what was already created if the rest fails, because the next use creates all of it again. */
  const owning = <T>(create: (own: Own) => T): T => {
    const made = new Owner(host.report);
    try {
      const created = create(made.own);
      own(made);
      return created;
    } catch (error) {
      made.dispose();
      throw error;
    }
  };
  const accounts = new Lazy(async () => {
    const [{ services }, { createAccounts }] = await Promise.all([ofHost.load(), import('./accounts')]);
    return owning((ownPart) => createAccounts(services, ownPart));
  });
  const files = new Lazy(async () => {
    const [{ services }, { createFiles }] = await Promise.all([accounts.load(), import('./files')]);
    return owning((ownPart) => createFiles(services, ownPart));
  });
  return { host: ofHost, accounts, files };
}
