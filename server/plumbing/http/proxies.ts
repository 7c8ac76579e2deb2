import { BlockList, isIP } from 'node:net';

/** The addresses that the sign-on layer may connect from (docs/rules.md § 1). */
export class ProxyList {
  readonly #blocks = new BlockList();

  /** @param text addresses and CIDR blocks separated by commas; throws a RangeError naming a bad one */
  constructor(text: string) {
    for (const entry of text.split(',')) this.#add(entry.trim());
  }

  /**
   * True when a connection's own address is in the list. An IPv4 address may come mapped in IPv6; a block
   * of IPv6 that holds the mapped addresses holds IPv4.
   */
  trusts(remoteAddress: string | undefined): boolean {
    const [address = ''] = (remoteAddress ?? '').split('%');
    return isIP(address) !== 0 && this.#blocks.check(address, familyOf(address));
  }

  #add(entry: string): void {
    const [, address = '', bits] = /^([^/%]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    if (isIP(address) === 0) throw new RangeError(entry);
    const family = familyOf(address);
    try {
      if (bits === undefined) this.#blocks.addAddress(address, family);
      else this.#blocks.addSubnet(address, Number(bits), family);
    } catch {
      throw new RangeError(entry);
    }
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** The addresses of this machine itself. */
export const THIS_MACHINE = new ProxyList('127.0.0.0/8,::1');

/** True for a name that leads to this machine wherever it is looked up, and for its own addresses. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$|\.$/g, '');
  return name === 'localhost' || name.endsWith('.localhost') || THIS_MACHINE.trusts(name);
}
