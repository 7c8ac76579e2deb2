/** Contact, author's site and source of this build; `null` where unknown (docs/rules.md § 32). */
export const application = __APPLICATION__;
