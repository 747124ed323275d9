/** A round ends, for a pause, after so many pages in a row of which nothing was published. */
const FRUITLESS_PAGES_MAX = 10;
/**
 * It ends after two of which the bus refused all that it was offered: probably nothing gets through.
 * Each counts as so many that were only read.
 */
const REFUSED_PAGE_COUNTS = 5;

/** Counts the pages of a round that were read since something was published. */
export function createFruitlessPages() {
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
      return pages >= FRUITLESS_PAGES_MAX;
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
