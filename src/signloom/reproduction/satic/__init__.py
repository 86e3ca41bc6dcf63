"""SATIC: its tables again, in form, on Flickr8k."""
