/** Pages in a row of which nothing was published after which a round ends, for a pause. */
const PAGES_IN_VAIN_MAX = 10;
/**
 * A page of which every message was offered and refused counts as so many: probably nothing gets
 * through. A page that was only read counts as one.
 */
const REFUSED_PAGE_COUNTS = 5;

/** Counts the pages of a round that were read since something was published. */
export function createVainPages() {
  let pages = 0;
  let isOffered = false;
  let isPublished = false;
  const endPage = (hasRefused: boolean) => {
    if (isPublished) pages = 0;
    else if (hasRefused) pages += isOffered ? REFUSED_PAGE_COUNTS : 1;
    isOffered = false;
    isPublished = false;
  };
  return {
    get isTooMuch() {
      return pages >= PAGES_IN_VAIN_MAX;
    },
    begin() {
      endPage(false);
      pages = 0;
    },
    /** Items were offered, and so many of them published. */
    note(published: number) {
      isOffered = true;
      isPublished ||= published > 0;
    },
    endPage,
  };
}
