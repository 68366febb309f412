"""Game records of Go as SGF (FF[4]): decode the bytes, mend the text, parse it, put the tree right, replay it, write it."""
