import { toNano } from '../support/api';
import { fetchDocumented } from '../support/documented-answers';
import { eventually } from '../support/eventually';
import { findQuietPort } from '../support/free-port';
