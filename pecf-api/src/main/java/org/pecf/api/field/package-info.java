/** Cell fields: lazy users x items expressions that backends evaluate tile by tile. */
package org.pecf.api.field;
