import { Lazy } from '../lazy';
import type { Own } from '../gantry';
import type { FeatureHandles, Host } from '../services';

/** The services that features are built from. Each level is loaded once, after the one before it. */
export function createLevels(host: Host, features: () => FeatureHandles, own: Own) {
  const ofHost = new Lazy(() => Promise.resolve({ services: { ...host, features: features() } }));
  const accounts = new Lazy(async () => {
    const [{ services }, { createAccounts }] = await Promise.all([ofHost.load(), import('./accounts')]);
    return createAccounts(services, own);
  });
  const files = new Lazy(async () => {
    const [{ services }, { createFiles }] = await Promise.all([accounts.load(), import('./files')]);
    return createFiles(services, own);
  });
  return { host: ofHost, accounts, files };
}
