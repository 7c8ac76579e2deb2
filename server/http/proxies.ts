import { BlockList, isIP } from 'node:net';

/** The addresses that the sign-on layer may connect from (contract.md « Identity »). */
export class ProxyList {
  readonly #blocks = new BlockList();

  /** @param text addresses and CIDR blocks apart by commas; throws a RangeError naming a bad one */
  constructor(text: string) {
    for (const entry of text.split(',')) {
      const block = readBlock(entry.trim());
      if (block === null) throw new RangeError(entry.trim());
      this.#blocks.addSubnet(block.address, block.prefix, block.family);
    }
  }

  /** True when a connection's own address is in the list; an IPv4 address may come mapped in IPv6. */
  trusts(remoteAddress: string | undefined): boolean {
    const address = plainAddress(remoteAddress ?? '');
    const version = isIP(address);
    return version !== 0 && this.#blocks.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }
}

interface Block {
  address: string;
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

function readBlock(entry: string): Block | null {
  const [given = '', bits, ...rest] = entry.split('/');
  const address = plainAddress(given);
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || given.includes('%')) return null;
  const most = isIP(given) === 4 ? 32 : 128;
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN;
  if (!(prefix <= most)) return null;
  if (version === 6) return { address, prefix, family: 'ipv6' };
  const mapped = most === 128 ? prefix - 96 : prefix;
  return mapped < 0 ? null : { address, prefix: mapped, family: 'ipv4' };
}

/** An address without its zone, and as IPv4 when it is one mapped in IPv6. */
function plainAddress(address: string): string {
  const [bare = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare);
  return mapped?.[1] ?? bare;
}
