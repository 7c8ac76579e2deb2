/** Contact, author's site and another place of the source than the service itself; `null` where not said (docs/rules.md § 32). */
export const application = __APPLICATION__;
