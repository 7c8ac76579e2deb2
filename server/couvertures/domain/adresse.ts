import ipaddr from 'ipaddr.js';

/** Special blocks of IPv6 within 2000::/3 that ipaddr.js has no name for, or takes for public. */
const BLOCS_SPECIAUX = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((bloc) =>
  ipaddr.IPv6.parseCIDR(bloc),
);
const UNICAST_MONDIAL = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address, in the one form in which a socket knows it, is on the public Internet: in no
 * special-purpose block of the IANA registries, in IPv6 moreover within 2000::/3
 * (contract.md « The cover relay »). What is no such address is not public: other notations
 * (octal, `127.1`) are for the URL parser to read.
 */
export function estPublique(adresse: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(adresse)) {
    return ipaddr.IPv4.parse(adresse).range() === 'unicast';
  }
  if (!ipaddr.IPv6.isValid(adresse)) return false;
  const ipv6 = ipaddr.IPv6.parse(adresse);
  return (
    ipv6.zoneId === undefined &&
    ipv6.range() === 'unicast' &&
    ipv6.match(UNICAST_MONDIAL) &&
    !BLOCS_SPECIAUX.some((bloc) => ipv6.match(bloc))
  );
}

/** Whether the relay goes to an address of the web at all: before any name is looked up. */
export const estDemandable = ({ protocol, port, username, password }: URL): boolean =>
  (protocol === 'http:' || protocol === 'https:') &&
  (port === '' || port === '80' || port === '443') &&
  username === '' &&
  password === '';
