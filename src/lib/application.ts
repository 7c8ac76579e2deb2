/** Contact, author's site and source of this build (specification « about page »); `null` unknown. */
export const application = __APPLICATION__;
