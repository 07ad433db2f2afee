import type { TokenCheck } from '../../../src/accounts/signInCoordinator';
import { SignedInAccount } from '../../../src/accounts/signedInAccount';
import { ServerFiles, type TextVersion } from '../../../src/files/saving/serverFiles';
import { createClient } from '../../../src/platform/client';
import { openPool } from '../../../src/platform/sending/undiciPool';
import type { Transport } from '../../../src/platform/sending/request';
import { Containers } from '../../../src/containers/containers';
import { Listings } from '../../../src/containers/listings';
import type { FilePlace } from '../../../src/containers/place';

export interface ConnectionOptions {
  readonly origin: string;
  readonly token: string;
  /** The deadline for one call, in milliseconds. */
  readonly deadline?: number | undefined;
  readonly transport?: Transport | undefined;
  /** What a check of the token finds after the platform refused it. */
  readonly tokenCheck?: TokenCheck | undefined;
}

/** Connects to the files of a platform as Gantry does, over HTTP, with the account `anna`. */
export class Connection {
  readonly containers: Containers;
  readonly listings: Listings;
  readonly files: ServerFiles;
  private readonly pool = openPool({ proxyFor: () => undefined, checkCertificates: true });

  constructor({ origin, token, deadline = 20_000, transport = 'form', tokenCheck = 'accepted' }: ConnectionOptions) {
    const client = createClient({
      address: { baseUrl: origin, host: new URL(origin).host },
      transport,
      send: this.pool.send,
      requestTimeouts: { files: deadline },
      retryPause: 1,
    });
    const stored = { slug: 'anna', label: 'anna', address: origin, transport, token } as const;
    const account = new SignedInAccount(stored, {
      connect: () => client,
      check: () => Promise.resolve(tokenCheck),
      ask: () => Promise.resolve('dismissed'),
      changed: () => undefined,
      rightsChanged: () => undefined,
    });
    this.containers = new Containers({ find: (slug) => (slug === 'anna' ? account : undefined) });
    this.listings = new Listings((folder, request) => this.containers.list(folder, request));
    this.files = new ServerFiles(this.containers, this.listings);
  }

  /** Returns the version that an editor has after it opens the file. */
  async open(place: FilePlace): Promise<TextVersion> {
    return { text: await this.containers.read(place), place };
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
