import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = [Address, number];

/** The addresses that the sign-on layer may connect from (docs/rules.md § 1). */
export class ProxyList {
  readonly #blocks: readonly Block[];

  /** @param text addresses and CIDR blocks separated by commas; throws a RangeError naming a bad one */
  constructor(text: string) {
    this.#blocks = text.split(',').map((entry) => parseBlock(entry.trim()));
  }

  /** True when a connection's own address is in the list; an IPv4 address may come mapped in IPv6. */
  trusts(remoteAddress: string | undefined): boolean {
    const [bare = ''] = (remoteAddress ?? '').split('%');
    if (!isAddress(bare)) return false;
    const address = ipaddr.process(bare);
    return this.#blocks.some(
      ([block, bits]) => block.kind() === address.kind() && address.match(block, bits),
    );
  }
}

/** A block; one address is a block of its own, and one of mapped IPv4 addresses is the IPv4 block. */
function parseBlock(entry: string): Block {
  const [address = '', bits] = entry.split('/');
  if (!isAddress(address) || entry.includes('%')) throw new RangeError(entry);
  const [base, prefix] = readBlock(entry, address, bits);
  if (base instanceof ipaddr.IPv4 || !base.isIPv4MappedAddress()) return [base, prefix];
  if (prefix < 96) throw new RangeError(entry);
  return [base.toIPv4Address(), prefix - 96];
}

function readBlock(entry: string, address: string, bits: string | undefined): Block {
  if (bits === undefined) {
    const single = ipaddr.parse(address);
    return [single, single.kind() === 'ipv4' ? 32 : 128];
  }
  try {
    return ipaddr.parseCIDR(entry);
  } catch {
    throw new RangeError(entry);
  }
}

/** In the usual notation: neither octal nor short forms such as `127.1`. */
const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
