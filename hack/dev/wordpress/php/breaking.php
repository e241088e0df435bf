<?php
/*
Plugin Name: Breaking
Description: Makes this WordPress fail in ways that real ones fail in, as the file "breaking" in its folder says.
*/
$breaking = is_file('{{.Folder}}/breaking') ? trim(file_get_contents('{{.Folder}}/breaking')) : '';

// A plugin that answers with a page of its own.
if ($breaking === 'page') {
    add_filter('rest_pre_serve_request', function () {
        header('Content-Type: text/html');
        echo '<html><body>Please activate your licence.</body></html>';
        return true;
    });
}
// A plugin that prints a warning before everything else.
if ($breaking === 'warning') {
    add_action('rest_api_init', function () { echo "<br />\n<b>Warning</b>: something is deprecated<br />\n"; });
}
// The process dies once the post is in the database, and before there is an answer.
if ($breaking === 'killed') {
    add_action('rest_after_insert_post', function () {
        unlink('{{.Folder}}/breaking');
        posix_kill(getmypid(), SIGKILL);
    });
}
// The SEO plugins register their fields like this.
if ($breaking === 'seo') {
    foreach (['_yoast_wpseo_title', '_yoast_wpseo_metadesc', 'rank_math_title'] as $key) {
        register_post_meta('post', $key, ['type' => 'string', 'single' => true, 'show_in_rest' => true, 'auth_callback' => fn () => current_user_can('edit_posts')]);
    }
}
// A security plugin that switches application passwords off.
if ($breaking === 'no-passwords') {
    add_filter('wp_is_application_passwords_available', '__return_false');
}
// An editorial plugin that holds posts back.
if ($breaking === 'held') {
    add_filter('wp_insert_post_data', function ($data) {
        if ($data['post_type'] === 'post' && $data['post_status'] === 'publish') {
            $data['post_status'] = 'pending';
        }
        return $data;
    });
}
