import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type {
  CleAccesFaite,
  OptionsCreation,
  OptionsSignature,
  Signature,
} from '#shared/cles-acces';

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 };

interface StoredPasskey {
  readonly id: string;
  readonly rpId: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
}

/** Values of a forged response. */
interface Lie {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly userHandle?: string;
  readonly isVerified?: boolean;
  readonly type?: string;
}

/**
 * A software authenticator together with its browser: creates passkeys, signs with them, and forges responses on
 * demand.
 */
export class Authenticator {
  /** The next signature counter; passkeys that an account synchronises always have 0. */
  count = 0;
  readonly #origin: string;
  #kept: StoredPasskey | null = null;

  /** @param origin the origin of the page in its browser */
  constructor(origin: string) {
    this.#origin = origin;
  }

  make(options: OptionsCreation, lie: Lie = {}): CleAccesFaite {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = randomBytes(16);
    const rpId = lie.rpId ?? options.rp.id;
    this.#kept = { id: id.toString('base64url'), rpId, userHandle: options.user.id, privateKey };
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const cose = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, cose]);
    const authData = Buffer.concat([this.#data(rpId, FLAGS.attested, lie), attested]);
    const attestationObject = isoCBOR.encode(
      new Map<string, string | Uint8Array | Map<never, never>>([
        ['fmt', 'none'],
        ['attStmt', new Map<never, never>()],
        ['authData', new Uint8Array(authData)],
      ]),
    );
    return {
      ...this.#named(),
      response: {
        clientDataJSON: this.#said('webauthn.create', options.challenge, lie).toString('base64url'),
        attestationObject: Buffer.from(attestationObject).toString('base64url'),
        transports: ['internal', 'of-tomorrow'],
      },
    };
  }

  sign(options: OptionsSignature, lie: Lie = {}): Signature {
    const { privateKey, userHandle } = this.#passkey();
    const authData = this.#data(lie.rpId ?? options.rpId, 0, lie);
    const clientData = this.#said('webauthn.get', options.challenge, lie);
    const hashed = createHash('sha256').update(clientData).digest();
    return {
      ...this.#named(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', Buffer.concat([authData, hashed]), privateKey).toString(
          'base64url',
        ),
        userHandle: lie.userHandle ?? userHandle,
      },
    };
  }

  #passkey(): StoredPasskey {
    if (this.#kept === null) throw new Error('an authenticator without a passkey');
    return this.#kept;
  }

  #named() {
    const { id } = this.#passkey();
    return { id, rawId: id, type: 'public-key' as const };
  }

  #data(rpId: string, more: number, { isVerified = true }: Lie): Buffer {
    const flags = FLAGS.present | more | (isVerified ? FLAGS.verified : 0);
    const end = Buffer.alloc(5);
    end.writeUInt8(flags);
    end.writeUInt32BE(this.count, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), end]);
  }

  #said(type: string, challenge: string, lie: Lie): Buffer {
    return Buffer.from(
      JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false, ...lie }),
    );
  }
}
