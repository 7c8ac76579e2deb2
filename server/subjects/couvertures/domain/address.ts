import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True for a public address, in the one notation that sockets use: in no special-purpose block of the
 * IANA registries, and in IPv6 within 2000::/3 (docs/rules.md § 27). Any other text is not public:
 * other notations (octal, `127.1`) are normalised by the URL parser before.
 */
export function isPublic(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    return ipaddr.IPv4.parse(address).range() === 'unicast';
  }
  if (!ipaddr.IPv6.isValid(address)) return false;
  const ipv6 = ipaddr.IPv6.parse(address);
  return ipv6.zoneId === undefined && ipv6.range() === 'unicast' && ipv6.match(GLOBAL_UNICAST);
}

/** True when the relay may request a URL at all: looked at before any name is resolved. */
export const isAllowedUrl = ({ protocol, port, username, password }: URL): boolean =>
  (protocol === 'http:' || protocol === 'https:') &&
  (port === '' || port === '80' || port === '443') &&
  username === '' &&
  password === '';
